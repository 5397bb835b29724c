// A bot in JavaScript: buys the most expensive die it can, fields and attacks with everything, otherwise takes the first option.
import { createInterface } from "node:readline";

const wanted = ["buy", "field", "use", "attack"];

function choose({ options, position }) {
  for (const what of wanted) {
    const found = options.filter((option) => option.what === what);
    if (found.length) return found[found.length - 1].index;
  }
  const done = options.find((option) => option.what === "done" || option.what === "pass");
  return (done ?? options[0]).index;
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  const answer = "hello" in message ? { name: "first.mjs" } : { choose: choose(message) };
  process.stdout.write(JSON.stringify(answer) + "\n");
}
