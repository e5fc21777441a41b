export const ACCESS_REQUESTS_PATH = '/uam/temporary-access';
/** The link to the form for temporary access. */
export const ASK_FOR_ROLE_HREF = `${ACCESS_REQUESTS_PATH}?show=mine&ask=true`;
