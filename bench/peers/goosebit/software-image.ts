/** A software image of SWUpdate that contains only its description: an archive of cpio (format newc). */
export function softwareImage(version: string): Uint8Array<ArrayBuffer> {
  const description = `software = { version = "${version}"; hardware-compatibility = ["default"]; };\n`;
  return new Uint8Array(
    Buffer.concat([entry('sw-description', description), entry('TRAILER!!!', '')]),
  );
}

function entry(name: string, content: string): Buffer {
  const mode = 0o100644;
  const [inode, owner, group, links, time, device] = [0, 0, 0, 1, 0, 0];
  const nameBytes = name.length + 1;
  const fields = [
    ...[inode, mode, owner, group, links, time, content.length],
    ...[device, device, device, device, nameBytes, 0],
  ];
  const header = `070701${fields.map((field) => field.toString(16).padStart(8, '0')).join('')}`;
  return Buffer.concat([padded(`${header}${name}\0`), padded(content)]);
}

/** To a multiple of 4 bytes. */
function padded(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
}
