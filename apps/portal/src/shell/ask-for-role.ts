/** Where a role is asked for, for a time. */
export const ASK_FOR_ROLE_HREF = '/uam/elevations?show=mine&ask=true';
