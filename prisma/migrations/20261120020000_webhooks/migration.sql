-- What a registration's owner can send again. Deliveries that arrive never enter this index.
CREATE INDEX "webhook_deliveries_open_idx" ON "webhook_deliveries"("registration_id", "id") WHERE "status" IN ('failed', 'held');
