"""Dispatch of client messages to a room, shared by the live socket and the browser's worker."""

from __future__ import annotations

from typing import Any, cast

from dicemasters.service.games.room import Room
from dicemasters.service.ports import RoomClient
from dicemasters.service.protocol import messages
from dicemasters.service.protocol.codec import OutgoingMessage
from dicemasters.service.protocol.validation import parser_for, to_jsonable

_parse_client_message = parser_for(cast(Any, messages.ClientMessage))
PONG = OutgoingMessage(b'{"type":"pong"}')


def parse_message(data: object) -> messages.ClientMessage:
    """Return a message as its type; raise ValidationError with the location of the problem if it is invalid."""
    return cast(messages.ClientMessage, _parse_client_message(data))


async def handle_message(room: Room, client: RoomClient, message: messages.ClientMessage) -> None:
    """Handle a message of a client that has joined; raise ActionRejectedError if the action is not possible."""
    match message:
        case messages.TakeSeat():
            await room.take_seat(client, message.anchor)
        case messages.PlayChoice():
            await room.play(client, message)
        case messages.Contribution():
            await room.submit_contribution(client, message.number, message.chain, message.link)
        case messages.RollWithout():
            await room.roll_without(client)
        case messages.ExplainDie():
            client.send(await room.explain_die(message.die))
        case messages.ExplainIllegal():
            client.send(await room.explain_illegal(client, to_jsonable(message.thing), message.want))
        case messages.CoachRequest():
            client.send(await room.coach())
        case messages.UndoRequest():
            await room.undo(client)
        case messages.UndoAnswer():
            await room.answer_undo(client, message.yes)
        case messages.Concede():
            await room.concede(client, message.seat)
        case messages.KeepPlaying():
            await room.play_on(client)
        case messages.ClaimWin():
            await room.claim_win(client)
        case messages.Rematch():
            await room.play_again(client)
        case messages.SetName():
            await room.set_name(client, message.seat, message.name)
        case messages.ViewRequest():
            client.send(await room.full_view())
        case messages.Ping():
            client.send(PONG)
