import type { Refusal } from '../provider/wire/provider-error.ts';

export const uploadRefusals = {
  noFile: { code: 2501, en: 'the field "file" contains no file', zh: '缺少上传文件' },
  tooLarge: { code: 2502, en: 'The image is too large', zh: '图片过大' },
  noPicture: {
    code: 2503,
    en: 'Unsupported image format',
    zh: '不支持的图片格式',
  },
  unknownFolder: { code: 2504, en: 'Folder not found', zh: '上传目录不存在' },
} as const satisfies Record<string, Refusal>;
