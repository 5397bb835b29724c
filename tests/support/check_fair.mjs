// Works out fair dice with the browser's own program: games of {facts, cards} come in, what is wrong with each goes out.
import { verifyThrows } from "../../web/src/fairdice/verify.ts";

let text = "";
for await (const chunk of process.stdin) text += chunk;
const said = JSON.parse(text).map(({ facts, cards }) => {
  try {
    verifyThrows(facts, cards);
    return "";
  } catch (e) {
    return e.message;
  }
});
console.log(JSON.stringify(said));
