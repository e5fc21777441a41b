/** Seals people's keys in test databases; a server uses the key of its own installation. */
export const testPersonalDataKey = new Uint8Array(32).fill(7);
