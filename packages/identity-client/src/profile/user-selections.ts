const BEFORE_IDENTITIES =
  'id arn userPoolId status username email emailVerified phone phoneVerified';
const AFTER_IDENTITIES =
  'unionid openid nickname registerSource photo oauth token tokenExpiredAt loginsCount lastLogin lastIP signedUp ' +
  'blocked isDeleted device browser company name givenName familyName middleName profile preferredUsername website ' +
  'gender birthdate zoneinfo locale address formatted streetAddress locality region postalCode city province country ' +
  'createdAt updatedAt';

/** GraphQL fields that changes of an account return. */
export const CHANGED_USER = `${BEFORE_IDENTITIES} ${AFTER_IDENTITIES} phoneCountryCode`;
/** GraphQL fields of an account. */
export const PLAIN_USER = `${CHANGED_USER} externalId`;
const CUSTOM_DATA = 'customData { key value dataType label }';
/** GraphQL fields of an account that a sign-in returns. */
export const SIGNED_IN_USER = `${PLAIN_USER} newlyCreated ${CUSTOM_DATA}`;
/** GraphQL fields of the current account, with its linked external accounts. */
export const CURRENT_USER =
  `${PLAIN_USER} ${CUSTOM_DATA} ` +
  'identities { openid userIdInIdp userId connectionId isSocial provider type userPoolId extIdpId }';
