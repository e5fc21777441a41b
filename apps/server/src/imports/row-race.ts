/** Thrown if another transaction has added the same row since it was checked; the batch is checked again. */
export class RowRace extends Error {}
