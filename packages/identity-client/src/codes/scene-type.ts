/** Purposes of a text message. */
export const SceneType = {
  SCENE_TYPE_LOGIN: 'login',
  SCENE_TYPE_REGISTER: 'register',
  SCENE_TYPE_RESET: 'reset',
  SCENE_TYPE_BIND: 'bind',
  SCENE_TYPE_UNBIND: 'unbind',
  SCENE_TYPE_MFA_BIND: 'mfa-bind',
  SCENE_TYPE_MFA_VERIFY: 'mfa-verify',
  SCENE_TYPE_MFA_UNBIND: 'mfa-unbind',
  SCENE_TYPE_COMPLETE_PHONE: 'complete-phone',
} as const;
export type SceneType = (typeof SceneType)[keyof typeof SceneType];
