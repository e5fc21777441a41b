/** Path of the SCIM service provider. */
export const SCIM_PATH = '/scim/v2';
