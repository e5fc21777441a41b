const BEFORE_IDENTITIES =
  'id arn userPoolId status username email emailVerified phone phoneVerified';
const AFTER_IDENTITIES =
  'unionid openid nickname registerSource photo oauth token tokenExpiredAt loginsCount lastLogin lastIP signedUp ' +
  'blocked isDeleted device browser company name givenName familyName middleName profile preferredUsername website ' +
  'gender birthdate zoneinfo locale address formatted streetAddress locality region postalCode city province country ' +
  'createdAt updatedAt';

/** What changes of an account answer with. */
export const CHANGED_USER = `${BEFORE_IDENTITIES} ${AFTER_IDENTITIES} phoneCountryCode`;
/** An account. */
export const PLAIN_USER = `${CHANGED_USER} externalId`;
const CUSTOM_DATA = 'customData { key value dataType label }';
/** An account as sign-ins answer with it. */
export const SIGNED_IN_USER = `${PLAIN_USER} newlyCreated ${CUSTOM_DATA}`;
/** The current account, with the person's accounts elsewhere. */
export const CURRENT_USER =
  `${PLAIN_USER} ${CUSTOM_DATA} ` +
  'identities { openid userIdInIdp userId connectionId isSocial provider type userPoolId extIdpId }';
