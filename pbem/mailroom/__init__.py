"""The mailroom: a mailbox goes in, plies and answers come out.

`sources` give mails, `envelope` says who wrote them, `route` finds the match, `room` has the desk
judge them and keeps the order of work that makes it safe to be killed, `answers` writes what there
is to say, `outbox` keeps and sends it. `glance` looks at all matches at once.
"""
