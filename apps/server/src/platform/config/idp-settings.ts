import { choice, integer, list, optionalText } from './setting.ts';

const group = 'Sign-in';

/** Settings of the provider at `/idp`. */
export const idpSettings = {
  idpConnections: optionalText({
    env: 'DEVICEPORTAL_IDP_CONNECTIONS',
    group,
    description:
      'JSON file of connections to external providers (social, enterprise, LDAP) for sign-in at `/idp`.',
  }),
  idpSecondStep: choice(
    {
      env: 'DEVICEPORTAL_IDP_SECOND_STEP',
      group,
      description:
        'Second factor at `/idp`: `optional` for users who have set one up, or `required` for all users.',
    },
    ['optional', 'required'],
    'optional',
  ),
  idpFace: choice(
    {
      env: 'DEVICEPORTAL_IDP_FACE',
      group,
      description:
        'Face recognition as a second factor at `/idp`, from an optional package (`npm run add -- identity-face`): `if-installed`, `required` (the server does not start without the package), or `off`.',
    },
    ['if-installed', 'required', 'off'],
    'if-installed',
  ),
  idpRealName: choice(
    {
      env: 'DEVICEPORTAL_IDP_REAL_NAME',
      group,
      description:
        'Real-name authentication at `/idp`, from an optional package (`npm run add -- identity-real-name`): `if-installed`, `required` (the server does not start without the package), or `off`.',
    },
    ['if-installed', 'required', 'off'],
    'if-installed',
  ),
  idpPasswordLength: integer(
    {
      env: 'DEVICEPORTAL_IDP_PASSWORD_LENGTH',
      group,
      description:
        'Minimum length of new passwords at `/idp`, in characters. Existing passwords remain valid.',
    },
    { min: 8, max: 64, default: 12 },
  ),
  idpRegistrationDomains: list(
    {
      env: 'DEVICEPORTAL_IDP_REGISTRATION_DOMAINS',
      group,
      description:
        'Comma-separated email domains. Users with an address in these domains can register for the portal at `/idp` with a code sent to that address. They have no role until an administrator assigns one. Default: none. Users must be invited.',
    },
    {
      item: /^[a-z0-9.-]+\.[a-z0-9-]+$/,
      says: 'must be a list of domains in lowercase, for example example.com',
      default: [],
    },
  ),
  idpPhotoOrigins: list(
    {
      env: 'DEVICEPORTAL_IDP_PHOTO_ORIGINS',
      group,
      description:
        'Comma-separated origins from which `/idp` can fetch photos of faces. Default: none. Photos must be uploaded.',
    },
    {
      item: /^https?:\/\/[^\s/?#]+$/,
      says: 'must be a list of origins, for example https://photos.example',
      default: [],
    },
  ),
} as const;
