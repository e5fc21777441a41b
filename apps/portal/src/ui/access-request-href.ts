export const ACCESS_REQUESTS_PATH = '/uam/temporary-access';
/** Where a role is asked for, for a time. */
export const ASK_FOR_ROLE_HREF = `${ACCESS_REQUESTS_PATH}?show=mine&ask=true`;
