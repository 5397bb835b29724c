import { describe, expect, test } from "vitest";
import type { RuleData } from "../src/api/protocol";
import {
  rulePath,
  stripInternalNotes,
  ruleSection,
  inlineTokens,
  exampleTitles,
} from "../src/features/rules/ruleParser";
import { searchRules } from "../src/features/rules/rulesSearch";
import found from "../../tests/unit/rules/rules_found.json";
import markdown from "../../docs/rules.md?raw";

function rule(number: string, level: number, said: string, defines: string[] = []): RuleData {
  return { number, title: level ? said : "", level, text: level ? "" : said, defines, editions: [], shown: [] };
}

const RULES = [
  rule("", 1, "The rules"),
  rule("3.4", 3, "Attack step", ["Attack step"]),
  rule("3.4b", 4, "Blockers", ["Blockers"]),
  rule("3.4b1", 0, "Blockers are declared: each blocks one attacker."),
  rule("5", 2, "Effects", ["Effects"]),
  rule("5.8a2", 0, "A *KO'd* die goes to Prep."),
  rule("6", 2, "Keywords", ["Keywords"]),
  rule("6.12", 3, "Overcrush", ["Overcrush"]),
  rule("6.12a", 0, "What is left over goes through (5.8a2)."),
  rule("6.13", 3, "Prep", ["Prep"]),
  rule("7", 2, "Rulings", ["Rulings"]),
  rule("8", 2, "Solitaire", ["Solitaire"]),
  rule("8.5", 3, "Blocking", ["Blocking"]),
  rule("8.5a", 0, "Everybody who can blocks."),
  rule("10", 2, "Principles", ["Principles"]),
  rule("#46", 0, "Overcrush is one source."),
];
const HEADING = /^(#+) (?:(\d[\w.]*|[SE#]\d+) )?(.+)$/;
const RULE = /^\*\*(\d[\w.]*|[SE#]\d+)\*\* ([^]+)$/;
const DEFINED = /(?<![*\w])\*([^*\n]+)\*(?!\*)/g;

/** Parses the rules as the server sends them, without the notes below a rule. */
function read(document: string): RuleData[] {
  const found: RuleData[] = [];
  for (const block of document.split(/\n{2,}/).map((one) => one.trim())) {
    const [heading, numbered, said] = [HEADING.exec(block), RULE.exec(block), block.replace(/\s+/g, " ")];
    if (heading) found.push(rule(heading[2] ?? "", heading[1]!.length, heading[3]!));
    else if (numbered) found.push(rule(numbered[1]!, 0, numbered[2]!.replace(/\s+/g, " ")));
    else if (!/^(?:<!--|> \*)/.test(block)) found.at(-1)!.text = `${found.at(-1)!.text}\n\n${said}`.trim();
  }
  const words = (r: RuleData): string[] => (r.number ? [...r.text.matchAll(DEFINED)].map((one) => one[1]!) : []);
  return found.map((r) => ({ ...r, defines: [...(r.level > 1 ? [r.title] : []), ...words(r)] }));
}

const NUMBERS = new Set(RULES.map((r) => r.number));

describe("the rules", () => {
  test("a number returns the rule and everything below it", () => {
    expect(ruleSection(RULES, "6").map((r) => r.number)).toEqual(["6", "6.12", "6.12a", "6.13"]);
    expect(ruleSection(RULES, "6.12").map((r) => r.number)).toEqual(["6.12", "6.12a"]);
    expect(ruleSection(RULES, "5.8a2").map((r) => r.number)).toEqual(["5.8a2"]);
    expect(ruleSection(RULES, "9.9")).toEqual([]);
  });

  test("a word finds its definition first, then its mentions", () => {
    expect(searchRules(RULES, "overcrush").map((r) => r.number)).toEqual(["6.12", "6.12a", "#46"]);
    expect(searchRules(RULES, "prep").map((r) => r.number)).toEqual(["6.13", "5.8a2"]);
    expect(searchRules(RULES, " ")).toEqual([]);
    expect(searchRules(RULES, "#46").map((r) => r.number)).toEqual(["#46"]);
    expect(searchRules(RULES, "nothing like it")).toEqual([]);
  });

  test("the section on a word precedes the rules of the script", () => {
    expect(searchRules(RULES, "blocking").map((r) => r.number)).toEqual(["3.4b", "3.4b1", "8.5a"]);
    expect(searchRules(RULES, "attack").map((r) => r.number)).toEqual(["3.4", "3.4b", "3.4b1"]);
    expect(searchRules(RULES, "overcr").map((r) => r.number)).toEqual(["6.12", "6.12a", "#46"]); // while it is being typed
    expect(searchRules(RULES, "solitaire")[0]!.number).toBe("8");
  });

  test("several words match in any form and order, and by synonyms", () => {
    expect(searchRules(RULES, "dice prep").map((r) => r.number)).toEqual(["6.13", "5.8a2"]);
    expect(searchRules(RULES, "knocked out").map((r) => r.number)).toEqual(["5.8a2"]);
    expect(searchRules(RULES, "3.4 b").map((r) => r.number)).toEqual(["3.4b", "3.4b1"]);
  });

  test("a question finds the rule that answers it", () => {
    expect(searchRules(RULES, "where do KO'd dice go to").map((r) => r.number)).toEqual(["5.8a2"]);
    expect(searchRules(RULES, "can I block with overcrush").map((r) => r.number)).toEqual(["#46", "3.4b1", "8.5a"]); // no rule contains both words
    expect(searchRules(RULES, "can I xyzzy")).toEqual([]);
  });

  const all = read(markdown);
  test.each(Object.entries(found))("%s finds what the terminal finds", (asked, first) => {
    expect(
      searchRules(all, asked)
        .slice(0, first.length)
        .map((r) => r.number),
    ).toEqual(first);
  });

  test("a text is split into tokens, and existing rule numbers become links", () => {
    expect(inlineTokens("A *KO'd* die (5.8a2), see `ai`, 9.9 and [formats](formats.md).", NUMBERS)).toEqual([
      { kind: "plain", text: "A " },
      { kind: "italic", text: "KO'd" },
      { kind: "plain", text: " die (" },
      { kind: "rule", text: "5.8a2", number: "5.8a2" },
      { kind: "plain", text: "), see " },
      { kind: "code", text: "ai" },
      { kind: "plain", text: ", 9.9 and " },
      { kind: "plain", text: "formats" },
      { kind: "plain", text: "." },
    ]);
    expect(inlineTokens("by #46", NUMBERS)).toEqual([
      { kind: "plain", text: "by " },
      { kind: "rule", text: "#46", number: "#46" },
    ]);
  });

  test("the [ours] mark is a separate token, also in code style", () => {
    expect(inlineTokens("It is one draw. [ours]", NUMBERS)).toEqual([
      { kind: "plain", text: "It is one draw. " },
      { kind: "ours" },
    ]);
    expect(inlineTokens("`[ours]` means", NUMBERS)).toEqual([{ kind: "ours" }, { kind: "plain", text: " means" }]);
    expect(inlineTokens("[cw, ai]", NUMBERS)).toEqual([{ kind: "plain", text: "[cw, ai]" }]);
  });

  test("names of switches and files are stripped; editions stay", () => {
    expect(stripInternalNotes("**pay one by one** (`ai`): Each by itself. (`batch_is_one_effect`)")).toBe(
      "**pay one by one** (`ai`): Each by itself.",
    );
    expect(stripInternalNotes("In `ai` so too (`cw` has a part).")).toBe("In `ai` so too (`cw` has a part).");
    expect(stripInternalNotes("the scenarios under `tests/scenarios` that show a rule")).toBe(
      "the scenarios that show a rule",
    );
    expect(exampleTitles("`rules/turn`: a draw; a die | `worked_ai_play`: ai, example: play")).toEqual([
      "a draw; a die",
      "ai, example: play",
    ]);
  });

  test("every rule has a path", () => {
    expect(rulePath("3.4d1")).toBe("/rules#3.4d1");
  });
});
