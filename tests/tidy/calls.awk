# Calls that are banned, outside comments and strings.

function ban(name, where, why) # where: a pattern of files in which it is fine, or ""
{
    names[++count] = name
    fine[name] = where
    because[name] = why
}

BEGIN {
    ban("strcpy", "", "use snprintf or memcpy")
    ban("strcat", "", "use snprintf")
    ban("strncpy", "", "use snprintf")
    ban("strncat", "", "use snprintf")
    ban("stpcpy", "", "use snprintf or memcpy")
    ban("sprintf", "", "use snprintf")
    ban("vsprintf", "", "use vsnprintf")
    ban("gets", "", "use fgets or getline")
    ban("alloca", "", "use the heap")
    ban("atoi", "", "use base/parse.h")
    ban("atol", "", "use base/parse.h")
    ban("atoll", "", "use base/parse.h")
    ban("atof", "", "use base/parse.h")
    ban("strtok", "", "use strsep, strtok_r or strcspn")
    ban("tmpnam", "", "use mkstemp")
    ban("mktemp", "", "use mkstemp")
    ban("rand", "", "use base/rng.h")
    ban("srand", "", "use base/rng.h")
    ban("random", "", "use base/rng.h")
    ban("gettimeofday", "", "use base/clock.h: the wall clock may step")
    ban("localtime", "", "use localtime_r")
    ban("gmtime", "", "use gmtime_r")
    ban("system", "^tests/", "use posix_spawn with an argument vector")
    ban("popen", "^tests/", "use posix_spawn with an argument vector")
    ban("exit", "^(src/main[.]c|tests/)", "only main.c exits")
    ban("_exit", "^(src/main[.]c|tests/)", "only main.c exits")
    ban("printf", "^(src/main[.]c|src/cli/|src/report/|tests/)", "only cli and report print")
    ban("puts", "^(src/main[.]c|src/cli/|src/report/|tests/)", "only cli and report print")
    ban("putchar", "^(src/main[.]c|src/cli/|src/report/|tests/)", "only cli and report print")
    ban("perror", "^tests/", "fill a struct err")
}

# The line without comments and with empty strings; `inside` lasts over lines.
function code_of(line,   out, c, two, i, n, quote)
{
    out = ""
    quote = ""
    n = length(line)
    for (i = 1; i <= n; i++) {
        c = substr(line, i, 1)
        two = substr(line, i, 2)
        if (inside) {
            if (two == "*/") {
                inside = 0
                i++
            }
        } else if (quote != "") {
            if (c == "\\")
                i++
            else if (c == quote)
                quote = ""
        } else if (two == "/*") {
            inside = 1
            i++
        } else if (two == "//") {
            break
        } else if (c == "\"" || c == "'") {
            quote = c
        } else {
            out = out c
        }
    }
    return out
}

FNR == 1 { inside = 0 }

{
    code = code_of($0)
    if (code !~ /\(/ || code ~ /^[ \t]*#[ \t]*include/)
        next
    for (k = 1; k <= count; k++) {
        name = names[k]
        if (!index(code, name))
            continue
        if (code ~ ("(^|[^A-Za-z0-9_.>])" name "[ \t]*\\(") && (fine[name] == "" || FILENAME !~ fine[name]))
            print FILENAME ":" FNR ": " name "(): " because[name]
    }
}
