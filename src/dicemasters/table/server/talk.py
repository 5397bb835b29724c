"""What somebody at a table says, and who hears it: the same over a live socket and in a browser's worker."""

from __future__ import annotations

from typing import Any, cast

from dicemasters.table.server import contract
from dicemasters.table.server.asked import reader_of, written
from dicemasters.table.server.beside import Visitor
from dicemasters.table.server.parcel import Parcel
from dicemasters.table.server.rooms import Room

_understand = reader_of(cast(Any, contract.ToServer))
PONG = Parcel(b'{"type":"pong"}')


def understood(data: object) -> contract.ToServer:
    """Give what somebody has said; a WrongError says where it is none of the messages there are."""
    return cast(contract.ToServer, _understand(data))


async def hear(room: Room, visitor: Visitor, message: contract.ToServer) -> None:
    """Do what somebody who has been welcomed says, or answer it; what cannot be done is a RefusedError."""
    match message:
        case contract.Sit():
            await room.sit(visitor, message.anchor)
        case contract.Play():
            await room.play(visitor, message)
        case contract.Part():
            await room.give(visitor, message.number, message.chain, message.link)
        case contract.Without():
            await room.go_without(visitor)
        case contract.Look():
            visitor.tell(await room.look(message.die))
        case contract.WhyNot():
            visitor.tell(await room.why_not(visitor, written(message.thing), message.want))
        case contract.Coach():
            visitor.tell(await room.coach())
        case contract.Undo():
            await room.undo(visitor)
        case contract.Answer():
            await room.answer(visitor, message.yes)
        case contract.Concede():
            await room.concede(visitor, message.seat)
        case contract.PlayOn():
            await room.play_on(visitor)
        case contract.ClaimWin():
            await room.claim(visitor)
        case contract.Rematch():
            await room.play_again(visitor)
        case contract.Name():
            await room.name(visitor, message.seat, message.name)
        case contract.WholeView():
            visitor.tell(await room.whole_view())
        case contract.Ping():
            visitor.tell(PONG)
