/** Path of all roles and policies of the portal (specification, section 6). */
export const ROLE_PATH = '/deviceportal/';
