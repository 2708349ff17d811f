/* Known answers of single attributes and texts; whole captures are in smart_fixtures. */
#include "fixture.h"

#include "device/smart.h"

static struct smart smart;
static struct err err;

/* `members` are those of the object beside device and model. */
static void parse(const char *model, const char *members, enum smart_identify identify)
{
    char *text = fs_path("{\"device\":{\"protocol\":\"ATA\"},\"model_name\":\"%s\"%s%s}", model,
                         members[0] ? "," : "", members);
    if (smart_parse(text, strlen(text), identify, &smart, &err) != 0)
        fail_msg("%s: %s", text, err.text);
    free(text);
}

static void parse_attribute(const char *model, int id, const char *name, int normalised,
                            const char *raw)
{
    char *members = fs_path("\"ata_smart_attributes\":{\"table\":[{\"id\":%d,\"name\":\"%s\","
                            "\"value\":%d,\"raw\":{\"value\":%s}}]}",
                            id, name, normalised, raw);
    parse(model, members, SMART_ANONYMOUS);
    free(members);
}

static void same(double got, double want, const char *what)
{
    if (!(got == want || (isnan(got) && isnan(want))))
        fail_msg("%s is %g, not %g", what, got, want);
}

static void units_are_in_the_names(void **state)
{
    (void)state;
    static const struct {
        int id;
        const char *name;
        double host, nand; /* bytes of one count */
    } cases[] = {
        {241, "Total_LBAs_Written", 512, NAN},
        {246, "Total_LBAs_Written", 512, NAN},
        {199, "Write_Sectors_Tot_Ct", 512, NAN},
        {241, "Host_Writes_32MiB", 33554432, NAN},
        {175, "Host_Writes_MiB", 1048576, NAN},
        {199, "Host_Writes_GiB", 1073741824, NAN},
        {241, "Lifetime_Writes_GiB", 1073741824, NAN},
        {241, "Total_Writes_GiB", 1073741824, NAN},
        {241, "Total_Writes_GB", 1e9, NAN},
        {241, "Lifetime_Wts_Frm_Hst_GB", 1e9, NAN},
        {243, "NAND_Writes_32MiB", NAN, 33554432},
        {249, "NAND_Writes_1GiB", NAN, 1073741824},
        {233, "Flash_Writes_GiB", NAN, 1073741824},
        {233, "Lifetime_Wts_To_Flsh_GB", NAN, 1e9},
        {234, "Lifetime_NAND_Prg_GiB", NAN, 1073741824},
        {241, "Nand_Sectors_Written", NAN, 512},
        {245, "TLC_Writes_32MiB", NAN, 33554432},
        /* no unit, half a number, or something else that is written */
        {251, "NAND_Writes", NAN, NAN},
        {241, "Host_Writes", NAN, NAN},
        {241, "Total_LBAs_Written_Low", NAN, NAN},
        {243, "Total_LBAs_Written_High", NAN, NAN},
        {242, "Total_LBAs_Read", NAN, NAN},
        {251, "Total_NAND_Read_Ct_GiB", NAN, NAN},
        {189, "High_Fly_Writes", NAN, NAN},
        {206, "Write_Error_Rate", NAN, NAN},
        {100, "Flash_GB_Erased", NAN, NAN},
        {230, "Perc_Write/Erase_Count", NAN, NAN},
        {241, "Unknown_Attribute", NAN, NAN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        parse_attribute("Example", cases[i].id, cases[i].name, 100, "3");
        same(smart.host.bytes, 3 * cases[i].host, cases[i].name);
        same(smart.host.step_bytes, cases[i].host, cases[i].name);
        same(smart.nand.bytes, 3 * cases[i].nand, cases[i].name);
        same(smart.nand.step_bytes, cases[i].nand, cases[i].name);
    }
}

static void wear_is_used_up_endurance(void **state)
{
    (void)state;
    static const struct {
        const char *model;
        int id;
        const char *name;
        int normalised;
        const char *raw;
        double used_pct;
    } cases[] = {
        {"Micron", 202, "Percent_Lifetime_Remain", 99, "1", 1},
        {"Micron", 202, "Percent_Lifetime_Remain", 100, "0", 0},
        {"Micron", 202, "Percent_Lifetime_Remain", 0, "110", 110},
        {"Crucial", 202, "Perc_Rated_Life_Used", 95, "5", 5},
        {"Crucial", 202, "Percent_Lifetime_Used", 100, "12", 12},
        {"Phison", 231, "SSD_Life_Left", 100, "74", 26},
        {"Phison", 231, "SSD_Life_Left", 74, "74", 26},
        {"SandForce", 231, "SSD_Life_Left", 95, "4294967296", 5},
        {"SandForce", 231, "SSD_Life_Left", 100, "1", 0},
        {"Example", 169, "Remaining_Lifetime_Perc", 100, "96", 4},
        {"Example", 231, "SSD_Life_Left", 90, "3", 10},
        {"INTEL", 233, "Media_Wearout_Indicator", 15, "0", 85},
        {"Samsung", 177, "Wear_Leveling_Count", 91, "1661", 9},
        /* the same names where they mean something else */
        {"Example", 177, "Wear_Leveling_Count", 100, "401", NAN},
        {"Example", 233, "Media_Wearout_Indicator", 100, "7123", NAN},
        {"WDC", 230, "Media_Wearout_Indicator", 1, "197568495662", NAN},
        {"Example", 230, "Perc_Write/Erase_Count", 100, "10", NAN},
        {"Example", 178, "SSD_LifeLeft(0.01%)", 100, "9900", NAN},
        {"Example", 249, "Spare_Blocks_Remaining", 100, "50", NAN},
        {"Example", 231, "Temperature_Celsius", 30, "30", NAN},
        {"Example", 230, "Life_Curve_Status", 100, "100", NAN},
        {"SandForce", 231, "SSD_Life_Left", 253, "4294967296", NAN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        parse_attribute(cases[i].model, cases[i].id, cases[i].name, cases[i].normalised,
                        cases[i].raw);
        same(smart.wear.used_pct, cases[i].used_pct, cases[i].name);
        assert_int_equal(smart.wear.how[0] == 0, isnan(cases[i].used_pct));
    }
}

static void both_kinds_of_flash_add_up(void **state)
{
    (void)state;
    parse("Example",
          "\"ata_smart_attributes\":{\"table\":["
          "{\"id\":241,\"name\":\"Host_Writes_GiB\",\"raw\":{\"value\":5}},"
          "{\"id\":233,\"name\":\"NAND_GB_Written_TLC\",\"raw\":{\"value\":7}},"
          "{\"id\":234,\"name\":\"NAND_GB_Written_SLC\",\"raw\":{\"value\":2}}]}",
          SMART_ANONYMOUS);
    same(smart.nand.bytes, 9e9, "both");
    same(smart.host.bytes, 5 * 1073741824.0, "host");
}

static void counts_that_are_none(void **state)
{
    (void)state;
    static const char *const raws[] = {
        "4294967295", "281474976710655", "18446744073709551615", "-1", "1.5", "9223372036854775807",
        "null",       "\"7\"",           "4611686018427387904"};
    for (size_t i = 0; i < sizeof raws / sizeof *raws; i++) {
        parse_attribute("Example", 241, "Total_LBAs_Written", 100, raws[i]);
        same(smart.host.bytes, NAN, raws[i]);
        assert_string_equal(smart.host.how, "");
    }
}

static void what_smartctl_unpacked_counts(void **state)
{
    (void)state;
    static const struct {
        const char *raw;
        double count;
    } cases[] = {{"\"value\":99,\"string\":\"7 (1 2 3)\"", 7},
                 {"\"value\":99,\"string\":\"99\"", 99},
                 {"\"value\":99,\"string\":\"0x63\"", 99},
                 {"\"value\":99,\"string\":\"1/98\"", 99},
                 {"\"value\":99,\"string\":\"\"", 99},
                 {"\"value\":99,\"string\":\"99999999999999999999999\"", 99}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *members = fs_path("\"ata_smart_attributes\":{\"table\":[{\"id\":241,\"name\":"
                                "\"Total_LBAs_Written\",\"raw\":{%s}}]}",
                                cases[i].raw);
        parse("Example", members, SMART_ANONYMOUS);
        same(smart.host.bytes, 512 * cases[i].count, cases[i].raw);
        free(members);
    }
}

static void gigabytes_are_read_exactly(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double bytes;
    } cases[] = {{"\"292086.584\"", 292086584000000.0},
                 {"\"0.001\"", 1000000},
                 {"\"5\"", 5e9},
                 {"\"123456789.012\"", 123456789012000000.0},
                 {"7.5", 7.5e9},
                 {"\"1,234.5\"", NAN},
                 {"\"-5.0\"", NAN},
                 {"\"5.0 GB\"", NAN},
                 {"\"\"", NAN},
                 {"\"99999999999.9\"", NAN},
                 {"true", NAN}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *members = fs_path("\"scsi_error_counter_log\":{\"write\":{\"gigabytes_processed\":"
                                "%s}}",
                                cases[i].text);
        parse("Example", members, SMART_ANONYMOUS);
        same(smart.host.bytes, cases[i].bytes, cases[i].text);
        free(members);
    }
}

static void whole_counts_of_bytes_in_json(void **state)
{
    (void)state;
    parse("Example", "\"nvme_smart_health_information_log\":{\"data_units_written\":32381395004}",
          SMART_ANONYMOUS);
    json_t *json = smart_json(&smart);
    char *text = json_dumps(json_object_get(json, "bytes_written"), JSON_ENCODE_ANY);
    assert_string_equal(text, "16579274242048000");
    free(text);
    json_decref(json);
}

static void temperatures_that_are_none(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double celsius;
    } cases[] = {{"36", 36}, {"-7", -7}, {"0", NAN}, {"-273", NAN}, {"255", NAN}, {"\"36\"", NAN}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *members =
            fs_path("\"temperature\":{\"current\":%s,\"op_limit_max\":70}", cases[i].text);
        parse("Example", members, SMART_ANONYMOUS);
        same(smart.temperature_c, cases[i].celsius, cases[i].text);
        free(members);
    }
}

static void identity_is_not_read_unless_asked_for(void **state)
{
    (void)state;
    static const char members[] =
        "\"serial_number\":\"EXAMPLE0001\",\"wwn\":{\"naa\":5,\"oui\":1234,\"id\":56789},"
        "\"smartctl\":{\"messages\":[{\"string\":\"/dev/disk/by-id/ata-X_EXAMPLE0001: Unable\","
        "\"severity\":\"error\"}]}";
    parse("Example", members, SMART_ANONYMOUS);
    json_t *json = smart_json(&smart);
    char *text = json_dumps(json, 0);
    assert_null(strstr(text, "EXAMPLE0001"));
    assert_null(strstr(text, "wwn"));
    assert_string_equal(smart.message, "/dev/disk: Unable");
    free(text);
    json_decref(json);
    parse("Example", members, SMART_IDENTIFY);
    json = smart_json(&smart);
    assert_string_equal(json_text_at(json, "serial_number"), "EXAMPLE0001");
    assert_string_equal(json_text_at(json, "wwn"), "0x50004d200000ddd5");
    json_decref(json);
}

static void text_around_the_json(void **state)
{
    (void)state;
    static const char text[] = "note {1}\n  defects:{\"model_name\":\"Ex\xff"
                               "mple\"}\nbye {";
    assert_int_equal(smart_parse(text, sizeof text - 1, SMART_ANONYMOUS, &smart, &err), 0);
    assert_string_equal(smart.model, "Ex?mple");
    static const char other[] = "\r\n{\"a\":1}\r\nmore";
    assert_int_equal(smart_parse(other, sizeof other - 1, SMART_IDENTIFY, &smart, &err), -1);
    assert_string_equal(smart.message, "{\"a\":1}");
    assert_non_null(strstr(err.text, "{\"a\":1}"));
    assert_int_equal(smart_parse(NULL, 0, SMART_ANONYMOUS, &smart, &err), -1);
    assert_string_equal(err.text, "smartctl printed nothing");
}

static void names_in_any_language(void **state)
{
    (void)state;
    parse("  テスト SSD  1TB \\u0000x", "", SMART_ANONYMOUS);
    assert_string_equal(smart.model, "テスト SSD  1TB");
    parse("テテテテテテテテテテテテテテテテテテテテテテテテテテテテテテテテテテテテテテテテテテテテ"
          "テ",
          "", SMART_ANONYMOUS);
    assert_int_equal(strlen(smart.model), 126);
}

/* Whatever stands in the place of the document may hold the drive's number or the host's name. */
static void what_is_no_document_tells_no_serial(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"{\"smartctl\":{\"exit_status\":0},\"serial_number\":\"S3RIAL99\"", ""},
        {"Serial Number:    S3RIAL99\n", ""},
        {"\n\nLU WWN Device Id: 5 000c50 0S3RIAL99", ""},
        {"[1,\"S3RIAL99\"]", ""},
        {"sudo: unable to resolve host S3RIAL99: Name or service not known", ""},
        {"smartctl serial S3RIAL99", ""},
        {"Smartctl open device: /dev/disk/by-id/ata-X_S3RIAL99 failed: no\n",
         "Smartctl open device: /dev/disk failed: no"},
        {"smartctl 6.6 2017-11-05 r4594\nSerial Number: S3RIAL99", "smartctl 6.6 2017-11-05 r4594"},
        {"sudo: a password is required\n", "sudo: a password is required"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *text = cases[i].text;
        assert_int_equal(smart_parse(text, strlen(text), SMART_ANONYMOUS, &smart, &err), -1);
        assert_string_equal(smart.message, cases[i].message);
        assert_null(strstr(err.text, "S3RIAL99"));
        assert_true(err.text[0] != 0);
    }
    const char *half = cases[0].text;
    assert_int_equal(smart_parse(half, strlen(half), SMART_IDENTIFY, &smart, &err), -1);
    assert_string_equal(smart.message, half);
}

static void messages_quote_no_serial(void **state)
{
    (void)state;
    static const char members[] =
        "\"serial_number\":\"S3RIAL99\",\"wwn\":{\"naa\":5,\"oui\":3152,\"id\":77},"
        "\"smartctl\":{\"messages\":[{\"severity\":\"error\",\"string\":"
        "\"drive S3RIAL99 (0x5000c5000000004d) at /dev/disk/by-id/x fails\"}]}";
    parse("Example", members, SMART_ANONYMOUS);
    assert_string_equal(smart.message, "drive - (-) at /dev/disk fails");
    parse("Example", members, SMART_IDENTIFY);
    assert_non_null(strstr(smart.message, "S3RIAL99"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_are_in_the_names),
        cmocka_unit_test(wear_is_used_up_endurance),
        cmocka_unit_test(both_kinds_of_flash_add_up),
        cmocka_unit_test(counts_that_are_none),
        cmocka_unit_test(what_smartctl_unpacked_counts),
        cmocka_unit_test(gigabytes_are_read_exactly),
        cmocka_unit_test(whole_counts_of_bytes_in_json),
        cmocka_unit_test(temperatures_that_are_none),
        cmocka_unit_test(identity_is_not_read_unless_asked_for),
        cmocka_unit_test(text_around_the_json),
        cmocka_unit_test(names_in_any_language),
        cmocka_unit_test(what_is_no_document_tells_no_serial),
        cmocka_unit_test(messages_quote_no_serial),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
