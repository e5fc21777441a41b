import type { Refusal } from '../provider/wire/provider-error.ts';

export const faceRefusals = {
  notConfigured: {
    code: 2601,
    en: 'Face recognition is not installed. Choose another second factor.',
    zh: '未配置人脸识别服务，请使用其他验证方式',
  },
  noPhoto: { code: 2602, en: 'Photo not found', zh: '照片不存在或已失效' },
  addressNotAllowed: {
    code: 2603,
    en: 'Photos can’t be fetched from this address. Upload the photo.',
    zh: '不允许从该地址获取照片，请上传照片',
  },
  unreadablePhoto: { code: 2604, en: 'The photo can’t be read', zh: '照片无法识别' },
  noFace: { code: 2605, en: 'No face found in the photo', zh: '照片中未检测到人脸' },
  severalFaces: {
    code: 2606,
    en: 'More than one face found in the photo',
    zh: '照片中检测到多张人脸',
  },
  faceDiffers: { code: 2607, en: 'The faces don’t match', zh: '人脸比对不一致' },
  faceNotBound: { code: 2608, en: 'No face is set up', zh: '尚未绑定人脸' },
} as const satisfies Record<string, Refusal>;
