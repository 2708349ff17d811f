#include "postgres/account.h"
#include "postgres/db.h"
#include "postgres/look.h"
#include "postgres/waits.h"

enum op_status postgres_stats(struct adapter_db *handle, const struct adapter_sink *sink,
                              struct op_error *why)
{
    struct postgres_db *db = (struct postgres_db *)handle;
    enum op_status status = postgres_look_admin(db, why);
    if (status == OP_OK)
        status = postgres_account_read(db, sink, why);
    if (status != OP_OK)
        return status;
    postgres_waits_report(db, sink);
    postgres_waits_resume(db);
    return OP_OK;
}

void postgres_stats_close(struct postgres_db *db)
{
    postgres_account_close(db);
}
