"""The mailroom: a mailbox goes in, plies and letters come out.

`inbox` fetches mails and takes them apart. `run` handles one after the other, in an order that
makes it safe to be killed: `decide` asks each the questions of one table, about a `matter`;
`requests` is what a mail can ask for. `letters` says who is concerned by what, `outbox` keeps and
sends what they get. `agenda` says what time asks for, `timekeeper` does it. `daybook` remembers
what was done and who knows it; `tray` holds what a person must look at.
"""
