# What skipped, from ctest's JUnit file: NAME<tab>REASON, or NAME: TEST<tab>REASON for one
# test inside a program (cmocka's "[  SKIPPED ] TEST", TAP's "ok N TEST # skip REASON").

function plain(text)
{
    gsub(/&lt;/, "<", text)
    gsub(/&gt;/, ">", text)
    gsub(/&quot;/, "\"", text)
    gsub(/&apos;/, "'", text)
    gsub(/&#[0-9x]+;/, " ", text)
    gsub(/&amp;/, "\\&", text)
    return text
}

/<testcase / {
    name = $0
    sub(/.*<testcase name="/, "", name)
    sub(/".*/, "", name)
    whole = 0
    reason = said = ""
}

/<skipped/ {
    whole = 1
    reason = $0
    sub(/.*message="/, "", reason)
    sub(/".*/, "", reason)
}

{
    line = $0
    sub(/.*<system-out>/, "", line)
    sub(/<\/system-out>.*/, "", line)
}

line ~ /^\[  SKIPPED \] [A-Za-z_]/ && !/test\(s\)/ {
    inner = substr(line, 14)
    if (!seen[name, inner]++)
        parts[++count] = name ": " inner "\t" said
}

line ~ /^ok [0-9]+ .*# skip/ {
    inner = why = line
    sub(/^ok [0-9]+ /, "", inner)
    sub(/ *# skip.*/, "", inner)
    sub(/.*# skip */, "", why)
    parts[++count] = name ": " inner "\t" why
}

# The last plain line that a program printed is the reason.
line !~ /^[ \t]*</ && line !~ /^\[/ && line !~ /^(ok|not ok) / && line !~ /^ *$/ { said = line }

/<\/testcase>/ {
    if (whole) {
        print plain(name "\t" (said != "" ? said : reason))
    } else {
        for (i = 1; i <= count; i++)
            print plain(parts[i])
    }
    count = 0
}
