import type { IdentityClient } from '../core/identity-client.ts';
import { localError } from '../core/report.ts';

const ANY_PHOTO = 'image/*';
export const FACE_PHOTOS = '.jpeg,.jpg,.png,.bmp';

/** Lets the user choose a picture. Throws if the user cancels. */
export function choosePhoto(client: IdentityClient, accept: string = ANY_PHOTO): Promise<File> {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = accept;
  input.multiple = false;
  return new Promise((resolve, reject) => {
    const give = (): void => {
      const file = input.files?.[0];
      if (file) resolve(file);
      else {
        const sentence = { zh: '没有选择图片', en: 'No picture was chosen' };
        reject(localError(client, 'UPLOAD_CANCELED', sentence));
      }
    };
    input.addEventListener('change', give);
    input.addEventListener('cancel', give);
    input.click();
  });
}
