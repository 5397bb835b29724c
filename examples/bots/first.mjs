// A bot in JavaScript: it fields, uses and buys what it can, attacks with everything, and otherwise stops or passes.
import { createInterface } from "node:readline";

const wanted = ["field", "use", "buy", "attack"];

function choose({ options }) {
  for (const what of wanted) {
    // One option at a time, from the top. A whole answer would be a list, such as [0, 0, 2].
    const option = options.find((option) => option.what === what);
    if (option) return option.index;
  }
  const done = options.find((option) => option.what === "done" || option.what === "pass");
  return (done ?? options[0]).index;
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  const answer = "hello" in message ? { name: "first.mjs" } : { choose: choose(message) };
  process.stdout.write(JSON.stringify(answer) + "\n");
}
