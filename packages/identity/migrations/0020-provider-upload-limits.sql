-- Who uploaded a picture, as a keyed hash of the address: what one address holds is limited, and what all hold. The
-- column size_bytes of an upload that goes on is what it may become.
alter table identity.provider_upload add column address_hash bytea;
create index provider_upload_address on identity.provider_upload (address_hash) where address_hash is not null;
