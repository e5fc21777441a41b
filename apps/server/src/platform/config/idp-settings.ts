import { choice, integer, list, optionalText } from './setting.ts';

const group = 'Sign-in';

/** Settings of the provider at `/idp`. */
export const idpSettings = {
  idpConnections: optionalText({
    env: 'DEVICEPORTAL_IDP_CONNECTIONS',
    group,
    description:
      'JSON file of connections: the accounts elsewhere (social, enterprise, LDAP) with which people sign in at `/idp`.',
  }),
  idpSecondStep: choice(
    {
      env: 'DEVICEPORTAL_IDP_SECOND_STEP',
      group,
      description:
        'Who is asked for a second step at `/idp`: `optional`, whoever has set one up; `required`, everybody.',
    },
    ['optional', 'required'],
    'optional',
  ),
  idpFace: choice(
    {
      env: 'DEVICEPORTAL_IDP_FACE',
      group,
      description:
        'Face recognition as a second step at `/idp`, by an optional package (`npm run add -- identity-face`): `if-installed`; `required`, the start fails without the package; `off`.',
    },
    ['if-installed', 'required', 'off'],
    'if-installed',
  ),
  idpRealName: choice(
    {
      env: 'DEVICEPORTAL_IDP_REAL_NAME',
      group,
      description:
        'Real-name authentication at `/idp`, by an optional package (`npm run add -- identity-real-name`): `if-installed`; `required`, the start fails without the package; `off`.',
    },
    ['if-installed', 'required', 'off'],
    'if-installed',
  ),
  idpPasswordLength: integer(
    {
      env: 'DEVICEPORTAL_IDP_PASSWORD_LENGTH',
      group,
      description:
        'Characters of the shortest new password at `/idp`. Passwords that are set already go on working.',
    },
    { min: 8, max: 64, default: 12 },
  ),
  idpRegistrationDomains: list(
    {
      env: 'DEVICEPORTAL_IDP_REGISTRATION_DOMAINS',
      group,
      description:
        'Email domains, separated by commas, whose people may register at `/idp` for the portal itself with a code sent to their address. They have no role until an administrator gives them one. Default: none, people are invited.',
    },
    {
      item: /^[a-z0-9.-]+\.[a-z0-9-]+$/,
      says: 'must be a list of domains in lower case, as example.com',
      default: [],
    },
  ),
  idpPhotoOrigins: list(
    {
      env: 'DEVICEPORTAL_IDP_PHOTO_ORIGINS',
      group,
      description:
        'Origins, separated by commas, from which `/idp` may fetch photos of faces. Without any, photos are uploaded.',
    },
    {
      item: /^https?:\/\/[^\s/?#]+$/,
      says: 'must be a list of origins, as https://photos.example',
      default: [],
    },
  ),
} as const;
