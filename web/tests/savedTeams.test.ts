import { beforeEach, describe, expect, test, vi } from "vitest";
import {
  costCurve,
  forgetTeam,
  parseTeamHash,
  confidenceInterval,
  saveTeam,
  ownTeams,
  teamPath,
  teamText,
  type OwnTeam,
} from "../src/features/teams/savedTeams";

const TEAM: OwnTeam = {
  id: "1",
  when: 1,
  name: "Night & day",
  about: "",
  format: "tournament",
  cards: [{ key: "avx9", dice: 2 }],
  basics: ["avx27"],
  code: "dm1abc",
};

describe("a team", () => {
  test("round-trips through its path, with its name", () => {
    const path = teamPath(TEAM);
    expect(path).toBe("/team#dm1abc~Night%20%26%20day");
    expect(parseTeamHash(path.split("#")[1]!)).toEqual({ code: "dm1abc", name: "Night & day" });
    expect(parseTeamHash("dm1abc~%E0%A4%A")).toEqual({ code: "dm1abc", name: "" });
    expect(parseTeamHash("")).toEqual({ code: "", name: "" });
  });

  test("is written in the server's format", () => {
    expect(teamText({ ...TEAM, name: " Two\nlines ", about: "by luck" })).toBe(
      "name: Two lines\nformat: tournament\nabout: by luck\n2x avx9\nbasic: avx27\n",
    );
  });

  test("has a cost curve by cost and energy", () => {
    const columns = costCurve([
      { cost: 2, energy: "M", dice: 4 },
      { cost: 2, energy: "F", dice: 1 },
      { cost: 9, energy: "B", dice: 2 },
    ]);
    expect(columns[0]).toEqual({
      cost: "2",
      total: 5,
      parts: [
        ["F", 1],
        ["M", 4],
      ],
    });
    expect(columns.at(-1)).toEqual({ cost: "7+", total: 2, parts: [["B", 2]] });
  });
});

test("the confidence interval narrows with the number of games", () => {
  expect(confidenceInterval(0, 0)).toEqual([0, 1]);
  const [low, high] = confidenceInterval(50, 100);
  expect(low).toBeCloseTo(0.404, 3);
  expect(high).toBeCloseTo(0.596, 3);
  expect(confidenceInterval(100, 100)[1]).toBeCloseTo(1, 6);
});

describe("own teams", () => {
  const storage = new Map<string, string>();
  beforeEach(() => {
    storage.clear();
    vi.stubGlobal("localStorage", {
      getItem: (key: string) => storage.get(key) ?? null,
      setItem: (key: string, value: string) => void storage.set(key, value),
    });
  });

  test("are saved, latest first, and deleted", () => {
    saveTeam(TEAM);
    saveTeam({ ...TEAM, id: "2", when: 2 });
    saveTeam({ ...TEAM, name: "Renamed", when: 3 });
    expect(ownTeams().map((team) => [team.id, team.name])).toEqual([
      ["1", "Renamed"],
      ["2", "Night & day"],
    ]);
    forgetTeam("1");
    expect(ownTeams().map((team) => team.id)).toEqual(["2"]);
  });

  test("are empty if invalid data is stored", () => {
    storage.set("dicemasters teams", "{");
    expect(ownTeams()).toEqual([]);
    storage.set("dicemasters teams", '{"a":1}');
    expect(ownTeams()).toEqual([]);
    storage.set("dicemasters teams", '[null,{"id":"x"}]');
    expect(ownTeams()).toEqual([]);
  });
});
