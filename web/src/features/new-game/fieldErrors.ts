/** To which field of the form a refusal of the server belongs. */

export type Field = "" | "team0" | "team1" | "team2" | "team3" | "life" | "seed" | "clock" | "edition";

/** Find the field; "" where it is about the whole form. */
export function errorField(refusal: string): Field {
  const team = /^team ([A-D])\b/.exec(refusal);
  if (team) return `team${"ABCD".indexOf(team[1]!) as 0 | 1 | 2 | 3}`;
  const field = /^(life|seed|clock|edition)\b/.exec(refusal);
  return field ? (field[1] as Field) : "";
}

/** Say what is wrong with a team right beside it: which one it is need not be said, least of all by its letter. */
export function teamErrorText(refusal: string): string {
  const rest = refusal.replace(/^team [A-D]\b[,:]? */, "");
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}
