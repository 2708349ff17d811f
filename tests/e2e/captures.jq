# Where a document differs from the expected values of a capture, one line each; --slurpfile want
# expected.json.  What is only about the capture (notes, sources) is left out.

def remarks: ["source", "source_t0", "source_t1", "note", "reason", "trap", "iostat",
    "also_acceptable", "block_majors", "mounts_sample", "inflight_shown", "sum_reads",
    "sum_wsectors", "first", "last", "sample"];

def near($a; $b): ($a - $b) | fabs <= 0.000002 + 0.00001 * ($b | fabs);

# In flight is a signed number: below 0 nothing is in flight.
def shown($key): if $key == "inflight" and (. < 0 or . > 2147483647) then 0 else . end;

def differences($where; $want; $got):
    if ($want | type) == "object" then
        if ($got | type) != "object" then "\($where): no object"
        else ($want | keys_unsorted[] | select(. as $key | remarks | index($key) | not)) as $key |
            differences("\($where).\($key)";
                $want[$key] | if type == "number" then shown($key) else . end; $got[$key])
        end
    elif ($want | type) == "array" then
        if ($got | type) != "array" or ($want | length) != ($got | length)
        then "\($where): \($got | tojson | .[:200]), not \($want | tojson | .[:200])"
        else range($want | length) as $i |
            differences("\($where)[\($i)]"; $want[$i]; $got[$i])
        end
    elif ($want | type) == "number" and ($got | type) == "number" then
        if near($got; $want) then empty else "\($where): \($got), not \($want)" end
    elif $want != $got then "\($where): \($got | tojson), not \($want | tojson)"
    else empty end;

# Of a line that is none its number counts, not the words for it.
def numbers: if has("rejected_lines") then .rejected_lines |= map(.[0]) else . end;

differences(""; $want[0] | numbers; numbers)
