/** Social identity providers. */
export const SocialConnectionProvider = {
  ALIPAY: 'alipay',
  GOOGLE: 'google',
  WECHATPC: 'wechat:pc',
  WECHATMP: 'wechat:webpage-authorization',
  WECHAT_MINIPROGRAM: 'wechat:miniprogram:default',
  WECHAT_MINIPROGRAM_QRCODE: 'wechat:miniprogram:qrconnect',
  WECHAT_MINIPROGRAM_APPLAUNCH: 'wechat:miniprogram:app-launch',
  WECHATMOBILE: 'wechat:mobile',
  GITHUB: 'github',
  QQ: 'qq',
  WECHATWORK_ADDRESS_BOOK: 'wechatwork:addressbook',
  WECHATWORK_CORP_QRCONNECT: 'wechatwork:corp:qrconnect',
  WECHATWORK_SERVICEPROVIDER_QRCONNECT: 'wechatwork:service-provider:qrconnect',
  DINGTALK: 'dingtalk',
  WEIBO: 'weibo',
  APPLE: 'apple',
  APPLE_WEB: 'apple:web',
  LARK_PUBLIC: 'lark-public',
  LARK_INTERNAL: 'lark-internal',
  BAIDU: 'baidu',
  LINKEDIN: 'linkedin',
  SLACK: 'slack',
  YIDUN: 'yidun',
  QINGCLOUD: 'qingcloud',
  FACEBOOK: 'facebook',
} as const;
export type SocialConnectionProvider =
  (typeof SocialConnectionProvider)[keyof typeof SocialConnectionProvider];

/** How the provider's last page passes its result to the application. */
export const RelayMethodEnum = {
  WEB_MESSAGE: 'web_message',
  FORM_POST: 'form_post',
  QUERY: 'query',
} as const;
export type RelayMethodEnum = (typeof RelayMethodEnum)[keyof typeof RelayMethodEnum];
