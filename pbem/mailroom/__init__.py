"""The mailroom: a mailbox goes in, plies and answers come out.

`sources` fetches mails, `envelope` says who wrote them, `incoming` takes them apart, `route` finds
the match. At the `door` stay strangers and machines; the `clerk` decides about orders, `reception`
about all else that players write, both out of one `office`. `run` does what they decide in an order
that makes it safe to be killed. `news` says what a person is owed about a match, `answers` what is
said to mails that changed nothing; `outgoing` makes a mail of it, `outbox` keeps it, `postman`
sends it. `journal` remembers what was dealt with, `aside` what a person must look at.
"""
