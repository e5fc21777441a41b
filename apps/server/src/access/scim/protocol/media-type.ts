/** Of all answers (RFC 7644, section 3.1). */
export const SCIM_TYPE = 'application/scim+json; charset=utf-8';
