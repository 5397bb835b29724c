/** Runs the exported engine in Pyodide: a game between bots, one choice of each level, and a game through the worker.
 * `node check_site.mjs ENGINE.zip` writes the results as JSON. */

import { readFileSync } from "node:fs";
import { loadPyodide } from "../../web/node_modules/pyodide/pyodide.mjs";

const python = await loadPyodide();
python.unpackArchive(new Uint8Array(readFileSync(process.argv[2])), "zip");
const found = await python.runPythonAsync(`
import json
from dicemasters.game.game import Game
from dicemasters.players.player import PLAYERS, make_player
from dicemasters.webworker.entry import WorkerEntry

class Memory:
    games, stored = {}, {}
    async def create(self, game, text):
        self.games[game], self.stored[game] = text, []
        return True
    async def find(self, game):
        return self.games.get(game)
    async def append(self, game, number, texts):
        self.stored[game] += json.loads(texts)
        return True
    async def events(self, game, after):
        return json.dumps(self.stored[game][after:])

game, players = Game.new("ai", seed=4), [make_player("simple", 1), make_player("simple", 2)]
while game.result is None:
    game.play(players[game.state.decision.seat].choose(game.state))
thought = {name: make_player(name, 1).choose(Game.new("ai", seed=4).state) for name in PLAYERS if name.startswith("level")}
worker = WorkerEntry(Memory(), print, print)
opened = await worker.ask("POST", "/games", json.dumps({"seats": [{"kind": "player"}, {"kind": "player"}], "seed": 3}))
shown = await worker.ask("GET", "/games/" + json.loads(opened[1])["game"], "")
json.dumps({"record": game.record, "thought": thought, "status": [opened[0], shown[0]]})
`);
console.log(found);
