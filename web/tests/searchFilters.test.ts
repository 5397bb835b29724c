import { describe, expect, test } from "vitest";
import { activeTerms, splitQuery, term, toggleTerm, setTerms, type Filter } from "../src/features/cards/searchFilters";

const ENERGY: Filter = { name: "", terms: ["energy:fist", "energy:bolt", "energy:mask"] };
const COST: Filter = { name: "", terms: ["cost=3", "cost>=7"] };
const SIDE: Filter = { name: "", terms: ['affiliation:"fantastic four"', "affiliation:x-men"] };

describe("a query", () => {
  test("is split at spaces outside brackets, quotes and patterns", () => {
    expect(splitQuery('hulk  (cost=2 or (cost=3)) text:"at most" -is:global /draws? (two|2)/ text:/a b/')).toEqual([
      "hulk",
      "(cost=2 or (cost=3))",
      'text:"at most"',
      "-is:global",
      "/draws? (two|2)/",
      "text:/a b/",
    ]);
    expect(splitQuery('  "open')).toEqual(['"open']);
    expect(splitQuery("")).toEqual([]);
  });

  test("adds and removes filter terms", () => {
    const one = toggleTerm("hulk", ENERGY, "energy:bolt");
    expect(one).toBe("hulk energy:bolt");
    const two = toggleTerm(one, ENERGY, "energy:fist");
    expect(two).toBe("hulk (energy:bolt or energy:fist)");
    expect(activeTerms(two, ENERGY)).toEqual(["energy:bolt", "energy:fist"]);
    expect(toggleTerm(two, ENERGY, "energy:bolt")).toBe("hulk energy:fist");
    expect(toggleTerm("energy:fist", ENERGY, "energy:fist")).toBe("");
  });

  test("keeps terms that the user has typed", () => {
    expect(toggleTerm("Energy:Fist (a>=5 or energy:mask) sort:cost", ENERGY, "energy:bolt")).toBe(
      "(energy:fist or energy:bolt) (a>=5 or energy:mask) sort:cost",
    );
    expect(activeTerms("-energy:fist", ENERGY)).toEqual([]);
  });

  test("quotes values with spaces and keeps comparison signs", () => {
    expect(term("affiliation", "Fantastic Four")).toBe('affiliation:"fantastic four"');
    expect(toggleTerm('affiliation:"fantastic four"', SIDE, "affiliation:x-men")).toBe(
      '(affiliation:"fantastic four" or affiliation:x-men)',
    );
    expect(toggleTerm("cost=3", COST, "cost>=7")).toBe("(cost=3 or cost>=7)");
  });

  test("has at most one sort term", () => {
    const order: Filter = { name: "", terms: ["sort:cost", "sort:-a"] };
    expect(setTerms("hulk sort:cost fist", order, ["sort:-a"])).toBe("hulk sort:-a fist");
    expect(setTerms("hulk sort:cost", order, [])).toBe("hulk");
  });
});
