// Verifies fair dice with the page's own code: reads games as {facts, cards}, writes the problem of each ("" if there is none).
import { verifyThrows } from "../../web/src/fairdice/verify.ts";

let text = "";
for await (const chunk of process.stdin) text += chunk;
const problems = JSON.parse(text).map(({ facts, cards }) => {
  try {
    verifyThrows(facts, cards);
    return "";
  } catch (e) {
    return e.message;
  }
});
console.log(JSON.stringify(problems));
