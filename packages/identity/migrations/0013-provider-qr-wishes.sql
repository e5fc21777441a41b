-- What a client says of a QR code: values that whoever confirms it gets, and the connection whose people may confirm it.
alter table identity.provider_qr_code
  add column custom_data jsonb not null default '[]',
  add column connection_id text;
