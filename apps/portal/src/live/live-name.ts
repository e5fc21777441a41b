/** The name of the channel, locks, and workers of a user’s tabs in this browser. */
export const liveNameOf = (subject: string): string => `deviceportal.live.${subject}`;
