"""What somebody at a table says, and who hears it: the same over a live socket and in a browser's worker."""

from __future__ import annotations

from typing import Any, cast

from dicemasters.service.games.room import Room
from dicemasters.service.ports import Visitor
from dicemasters.service.protocol import messages
from dicemasters.service.protocol.codec import Parcel
from dicemasters.service.protocol.validation import reader_of, written

_understand = reader_of(cast(Any, messages.ToServer))
PONG = Parcel(b'{"type":"pong"}')


def understood(data: object) -> messages.ToServer:
    """Give what somebody has said; a WrongError says where it is none of the messages there are."""
    return cast(messages.ToServer, _understand(data))


async def hear(room: Room, visitor: Visitor, message: messages.ToServer) -> None:
    """Do what somebody who has been welcomed says, or answer it; what cannot be done is a RefusedError."""
    match message:
        case messages.Sit():
            await room.sit(visitor, message.anchor)
        case messages.Play():
            await room.play(visitor, message)
        case messages.Part():
            await room.give(visitor, message.number, message.chain, message.link)
        case messages.Without():
            await room.go_without(visitor)
        case messages.Look():
            visitor.tell(await room.look(message.die))
        case messages.WhyNot():
            visitor.tell(await room.why_not(visitor, written(message.thing), message.want))
        case messages.Coach():
            visitor.tell(await room.coach())
        case messages.Undo():
            await room.undo(visitor)
        case messages.Answer():
            await room.answer(visitor, message.yes)
        case messages.Concede():
            await room.concede(visitor, message.seat)
        case messages.PlayOn():
            await room.play_on(visitor)
        case messages.ClaimWin():
            await room.claim(visitor)
        case messages.Rematch():
            await room.play_again(visitor)
        case messages.Name():
            await room.name(visitor, message.seat, message.name)
        case messages.WholeView():
            visitor.tell(await room.whole_view())
        case messages.Ping():
            visitor.tell(PONG)
