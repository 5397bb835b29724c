/** The form fields that the server's errors belong to. */

export type Field = "" | "team0" | "team1" | "team2" | "team3" | "life" | "seed" | "clock" | "edition";

/** Return the field of an error, or "" if it is about the whole form. */
export function errorField(refusal: string): Field {
  const team = /^team ([A-D])\b/.exec(refusal);
  if (team) return `team${"ABCD".indexOf(team[1]!) as 0 | 1 | 2 | 3}`;
  const field = /^(life|seed|clock|edition)\b/.exec(refusal);
  return field ? (field[1] as Field) : "";
}

/** Return a team error without the team's letter, because it is shown beside that team. */
export function teamErrorText(refusal: string): string {
  const rest = refusal.replace(/^team [A-D]\b[,:]? */, "");
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}
