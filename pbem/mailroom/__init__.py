"""The mailroom: a mailbox goes in, plies and answers come out.

`sources` fetches mails, `envelope` says who wrote them, `route` finds the match, `clerk` decides
what is to be done, `run` does it in an order that makes it safe to be killed. `news` says what a
person is owed about a match, `answers` what is said to mails that changed nothing; `outgoing` makes
a mail of it, `outbox` keeps it, `postman` sends it. `journal` remembers what was dealt with,
`aside` what a person must look at.
"""
