import { choice, list, optionalText } from './setting.ts';

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
