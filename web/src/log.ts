/** The log in fewer lines: like draws, rolls and picks are told together. */

import type { News } from "./contract";

// choices that the next line says again
const SELF_EVIDENT = /^[A-D]: (buy|field|use|pay|reroll|attack|block|done|Global of|ability of)\b/;

/** Join what belongs together ("A draws Sidekick ×3, Hulk") and leave out what would be said twice. */
export function told(news: readonly News[]): News[] {
  const out: News[] = [];
  let begun = "";
  let items: string[] = [];
  for (const line of news) {
    if (line.kind === "pay" || line.kind === "step" || (line.kind === "move" && SELF_EVIDENT.test(line.text))) continue;
    const [head, item] = split(line);
    items = head && head === begun ? [...items, item] : [item];
    if (head && head === begun) out.pop();
    out.push(head ? { ...line, text: head + counted(items) } : line);
    begun = head;
  }
  return out;
}

function split(line: News): [string, string] {
  const draws = /^(\w draws )(.+)$/.exec(line.text);
  if (line.kind === "draw" && draws) return [draws[1]!, draws[2]!];
  const shows = /^(.+) shows (.+)$/.exec(line.text);
  if (line.kind === "roll" && shows) return ["rolled: ", shows[1] === "Sidekick" ? shows[2]! : `${shows[1]} ${shows[2]}`];
  return ["", ""];
}

function counted(items: string[]): string {
  return [...new Set(items)]
    .map((item) => {
      const n = items.filter((x) => x === item).length;
      return n > 1 ? `${item} ×${n}` : item;
    })
    .join(", ");
}
