import type { Refusal } from '../wire/provider-error.ts';

export const faceRefusals = {
  notConfigured: {
    code: 2601,
    en: 'face comparison is not installed here: choose another second step',
    zh: '未配置人脸识别服务，请使用其他验证方式',
  },
  noPhoto: { code: 2602, en: 'there is no such photo', zh: '照片不存在或已失效' },
  addressNotAllowed: {
    code: 2603,
    en: 'photos are not fetched from this address: upload them',
    zh: '不允许从该地址获取照片，请上传照片',
  },
  unreadablePhoto: { code: 2604, en: 'the photo cannot be read', zh: '照片无法识别' },
  noFace: { code: 2605, en: 'there is no face in the photo', zh: '照片中未检测到人脸' },
  severalFaces: {
    code: 2606,
    en: 'there is more than one face in the photo',
    zh: '照片中检测到多张人脸',
  },
  faceDiffers: { code: 2607, en: 'the faces differ', zh: '人脸比对不一致' },
  faceNotBound: { code: 2608, en: 'no face is bound', zh: '尚未绑定人脸' },
} as const satisfies Record<string, Refusal>;
