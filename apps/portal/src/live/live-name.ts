/** What one person's tabs, locks and workers in this browser are called; nobody else's have that name. */
export const liveNameOf = (subject: string): string => `deviceportal.live.${subject}`;
