/** The states of an account. */
export const UserStatus = {
  Suspended: 'Suspended',
  Resigned: 'Resigned',
  Activated: 'Activated',
  Archived: 'Archived',
} as const;
export type UserStatus = (typeof UserStatus)[keyof typeof UserStatus];

/** Data types of custom values. */
export const UdfDataType = {
  String: 'STRING',
  Number: 'NUMBER',
  Datetime: 'DATETIME',
  Boolean: 'BOOLEAN',
  Object: 'OBJECT',
  Select: 'SELECT',
} as const;
export type UdfDataType = (typeof UdfDataType)[keyof typeof UdfDataType];

/** Objects that can have custom values. */
export const UdfTargetType = {
  Node: 'NODE',
  Org: 'ORG',
  User: 'USER',
  Userpool: 'USERPOOL',
  Role: 'ROLE',
  Permission: 'PERMISSION',
  Application: 'APPLICATION',
} as const;
export type UdfTargetType = (typeof UdfTargetType)[keyof typeof UdfTargetType];

/** Targets of a policy. */
export const PolicyAssignmentTargetType = {
  User: 'USER',
  Role: 'ROLE',
  Group: 'GROUP',
  Org: 'ORG',
  AkSk: 'AK_SK',
} as const;
export type PolicyAssignmentTargetType =
  (typeof PolicyAssignmentTargetType)[keyof typeof PolicyAssignmentTargetType];

/** Effects of a policy. */
export const PolicyEffect = { Allow: 'ALLOW', Deny: 'DENY' } as const;
export type PolicyEffect = (typeof PolicyEffect)[keyof typeof PolicyEffect];

/** Sort orders of a list. */
export const SortByEnum = {
  CreatedatDesc: 'CREATEDAT_DESC',
  CreatedatAsc: 'CREATEDAT_ASC',
  UpdatedatDesc: 'UPDATEDAT_DESC',
  UpdatedatAsc: 'UPDATEDAT_ASC',
} as const;
export type SortByEnum = (typeof SortByEnum)[keyof typeof SortByEnum];

/** Email templates that an application can customize. */
export const EmailTemplateType = {
  ResetPassword: 'RESET_PASSWORD',
  PasswordResetedNotification: 'PASSWORD_RESETED_NOTIFICATION',
  ChangePassword: 'CHANGE_PASSWORD',
  Welcome: 'WELCOME',
  VerifyEmail: 'VERIFY_EMAIL',
  ChangeEmail: 'CHANGE_EMAIL',
} as const;
export type EmailTemplateType = (typeof EmailTemplateType)[keyof typeof EmailTemplateType];

/** Ways to sign in. */
export const LoginMethods = {
  LDAP: 'ldap',
  AppQr: 'app-qrcode',
  Password: 'password',
  PhoneCode: 'phone-code',
  WxMinQr: 'wechat-miniprogram-qrcode',
  AD: 'ad',
} as const;
export type LoginMethods = (typeof LoginMethods)[keyof typeof LoginMethods];

/** Identifiers of a user. */
export const LoginIdentifier = { USERNAME: 'USERNAME', EMAIL: 'EMAIL', PHONE: 'PHONE' } as const;
export type LoginIdentifier = (typeof LoginIdentifier)[keyof typeof LoginIdentifier];

/** Ways to register. */
export const RegisterMethods = { Email: 'email', Phone: 'phone' } as const;
export type RegisterMethods = (typeof RegisterMethods)[keyof typeof RegisterMethods];
