/** Reported in every inventory and status message. A test compares it with package.json. */
export const AGENT_VERSION = '0.2.0';
