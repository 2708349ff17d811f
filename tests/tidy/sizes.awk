# Files up to 500 lines, functions up to 70 between their braces.  A function's body opens
# with a brace in column 0 (the layout that the rule "format" keeps), anything else does not.

function end_of_file()
{
    if (file != "" && lines > 500)
        print file ":" lines ": " lines " lines; a file has up to 500: give its second duty a file"
}

FNR == 1 {
    end_of_file()
    file = FILENAME
    start = 0
    name = ""
}

{ lines = FNR }

/^\{/ {
    start = FNR
    next
}

/^\}/ && start {
    if (FNR - start - 1 > 70)
        print FILENAME ":" start ": " name " has " FNR - start - 1 " lines; a function has up to 70"
    start = 0
}

!start && /^[A-Za-z_].*\(/ {
    name = $0
    sub(/\(.*/, "", name)
    sub(/.*[ *]/, "", name)
}

END { end_of_file() }
