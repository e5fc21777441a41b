-- blocks writes: of devices, for a few seconds with 1,000,000 of them
CREATE INDEX "device_model_sample" ON "device" USING btree ("model",uuid_hash("id"),"id");