/** A link to the runs that ended on a day, `2026-11-20` in UTC. */
export const runsEndedOn = (day: string): string => `/commands?ended=${day}`;
