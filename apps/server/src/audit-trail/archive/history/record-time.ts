/** A moment as records write it: UTC with microseconds. */
export const recordTime = (moment: Date): string => `${moment.toISOString().slice(0, -1)}000Z`;
