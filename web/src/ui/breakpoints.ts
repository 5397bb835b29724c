/** Windows that get the phone layout: equal dice stacked, cards behind tabs (board.css has the same sizes). */
export const SMALL_SCREEN = "(max-width: 699px), (max-height: 559px), (max-width: 899px) and (max-height: 1149px)";
