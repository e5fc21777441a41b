import { outsideFields, profileFields } from '../accounts/profile-fields.ts';

const lines = (names: readonly string[], type: string): string =>
  names.map((name) => `  ${name}: ${type}`).join('\n');

const PROFILE = lines(profileFields, 'String');

const REGISTRATION = `
  profile: RegisterProfile
  forceLogin: Boolean
  generateToken: Boolean
  clientIp: String
  params: String
  context: String`;

const LOGIN = `
  autoRegister: Boolean
  clientIp: String
  params: String
  context: String`;

/** The schema of `/graphql/v2` (identity-sdk.md, section 5). */
export const typeDefinitions = `
enum EmailScene {
  RESET_PASSWORD RESET_PASSWORD_VERIFY_CODE VERIFY_EMAIL FIRST_EMAIL_LOGIN_VERIFY CONSOLE_CONDUCTED_VERIFY
  CHANGE_EMAIL EMAIL_BIND_VERIFY_CODE EMAIL_UNBIND_VERIFY_CODE MFA_VERIFY VERIFY_CODE REGISTER_VERIFY_CODE
  LOGIN_VERIFY_CODE MFA_VERIFY_CODE INFORMATION_COMPLETION_VERIFY_CODE
}
enum UDFTargetType { NODE ORG USER USERPOOL ROLE PERMISSION APPLICATION }

type CommonMessage { message: String code: Int }
type CheckPasswordStrengthResult { valid: Boolean! message: String }
type JWTTokenStatusDetail { id: String userPoolId: String arn: String }
type JWTTokenStatus { code: Int message: String status: Boolean exp: Int iat: Int data: JWTTokenStatusDetail }
type RefreshToken { token: String iat: Int exp: Int }
type UserDefinedData { key: String! dataType: String! value: String! label: String }
type UserCustomData { key: String! value: String label: String dataType: String! }
type Identity {
  openid: String userIdInIdp: String userId: String connectionId: String isSocial: Boolean provider: String
  type: String userPoolId: String extIdpId: String
}
type Department {
  id: String! orgId: String name: String! nameI18n: String description: String descriptionI18n: String order: Int
  code: String root: Boolean depth: Int path: [String!]! codePath: [String!]! namePath: [String!]!
  createdAt: String updatedAt: String children: [String!] isVirtualNode: Boolean
}
type UserDepartment { department: Department! isMainDepartment: Boolean joinedAt: String }
type PaginatedDepartments { totalCount: Int! list: [UserDepartment!]! }
type Role {
  id: String! code: String! namespace: String! arn: String! description: String createdAt: String updatedAt: String
  parent: Role
}
type PaginatedRoles { totalCount: Int! list: [Role!]! }
type AuthorizedResource { code: String! type: String actions: [String!] apiIdentifier: String }
type PaginatedAuthorizedResources { totalCount: Int! list: [AuthorizedResource!]! }

type User {
  id: String! arn: String! userPoolId: String! status: String username: String email: String emailVerified: Boolean
  phone: String phoneCountryCode: String phoneVerified: Boolean registerSource: [String!] password: String
  token: String tokenExpiredAt: String loginsCount: Int lastLogin: String lastIP: String signedUp: String
  blocked: Boolean isDeleted: Boolean createdAt: String updatedAt: String externalId: String newlyCreated: Boolean
${lines(outsideFields, 'String')}
${PROFILE}
  identities: [Identity!]!
  customData: [UserCustomData!]!
  departments(orgId: String): PaginatedDepartments
  roles(namespace: String): PaginatedRoles
  authorizedResources(namespace: String, resourceType: String): PaginatedAuthorizedResources
}

input UserDefinedDataInput { key: String! value: String }
input RegisterProfile {
  ip: String phone: String email: String oauth: String username: String udf: [UserDefinedDataInput!]
${PROFILE}
}
input RegisterByEmailInput {
  email: String! password: String! phoneToken: String ${REGISTRATION}
}
input RegisterByUsernameInput {
  username: String! password: String! emailToken: String phoneToken: String ${REGISTRATION}
}
input RegisterByPhoneCodeInput {
  phone: String! code: String! password: String phoneCountryCode: String emailToken: String ${REGISTRATION}
}
input LoginByEmailInput { email: String! password: String! captchaCode: String ${LOGIN} }
input LoginByUsernameInput { username: String! password: String! captchaCode: String ${LOGIN} }
input LoginByPhoneCodeInput { phone: String! code: String! phoneCountryCode: String ${LOGIN} }
input LoginByPhonePasswordInput {
  phone: String! password: String! captchaCode: String phoneCountryCode: String ${LOGIN}
}
input UpdateUserInput {
  email: String emailVerified: Boolean phone: String phoneVerified: Boolean phoneCountryCode: String username: String
  password: String tokenExpiredAt: String loginsCount: Int lastLogin: String lastIP: String blocked: Boolean
  externalId: String mainDepartmentId: String mainDepartmentCode: String expiredAt: String directManagement: String
${lines(outsideFields, 'String')}
${PROFILE}
}

type Query {
  checkPasswordStrength(password: String!): CheckPasswordStrengthResult!
  checkLoginStatus(token: String): JWTTokenStatus
  isUserExists(username: String, email: String, phone: String, externalId: String): Boolean
  user(id: String): User
  udv(targetType: UDFTargetType!, targetId: String!): [UserDefinedData!]!
}

type Mutation {
  registerByEmail(input: RegisterByEmailInput!): User
  registerByUsername(input: RegisterByUsernameInput!): User
  registerByPhoneCode(input: RegisterByPhoneCodeInput!): User
  loginByEmail(input: LoginByEmailInput!): User
  loginByUsername(input: LoginByUsernameInput!): User
  loginByPhoneCode(input: LoginByPhoneCodeInput!): User
  loginByPhonePassword(input: LoginByPhonePasswordInput!): User
  loginBySubAccount(account: String!, password: String!, captchaCode: String, clientIp: String): User
  sendEmail(email: String!, scene: EmailScene!): CommonMessage!
  resetPassword(phone: String, phoneCountryCode: String, email: String, code: String!, newPassword: String!): CommonMessage
  resetPasswordByFirstLoginToken(token: String!, password: String!): CommonMessage
  resetPasswordByForceResetToken(token: String!, oldPassword: String!, newPassword: String!): CommonMessage
  updateUser(id: String, input: UpdateUserInput!, emailToken: String, phoneToken: String): User!
  updatePassword(newPassword: String!, oldPassword: String): User!
  updatePhone(
    phone: String! phoneCode: String! oldPhone: String oldPhoneCode: String
    phoneCountryCode: String oldPhoneCountryCode: String
  ): User!
  updateEmail(email: String!, emailCode: String!, oldEmail: String, oldEmailCode: String): User!
  refreshToken(id: String): RefreshToken
  bindPhone(phone: String!, phoneCode: String!, phoneCountryCode: String): User!
  unbindPhone: User!
  bindEmail(email: String!, emailCode: String!): User!
  unbindEmail: User!
  setUdv(targetType: UDFTargetType!, targetId: String!, key: String!, value: String!): [UserDefinedData!]
  setUdvBatch(targetType: UDFTargetType!, targetId: String!, udvList: [UserDefinedDataInput!]): [UserDefinedData!]
  removeUdv(targetType: UDFTargetType!, targetId: String!, key: String!): [UserDefinedData!]
}
`;
