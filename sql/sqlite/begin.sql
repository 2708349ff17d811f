-- IMMEDIATE takes the writer's lock here, so that waiting for it is BEGIN's time
BEGIN IMMEDIATE
